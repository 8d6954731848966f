-- One channel for all queues; the payload of a notification is a queue's id.
LISTEN graphden_queue
