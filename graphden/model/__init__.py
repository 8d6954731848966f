"""The data that travels between the phases: rows as written, types, rows as resolved, plans.

Everything here is frozen and slotted and has no behaviour beyond equality and display.
"""
