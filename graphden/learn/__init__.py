"""The course: lessons that are read, exercises that are solved, and what checks them.

A *lesson* is a folder `lessons/NN-name` with a text, `README.md`, and *exercises*: folders
`N-name` in it. An exercise gives the learner one file of rows, which is wrong in one named way
as it is given. It is passed when the file has no problems and all its *checks* hold; these are
data, and may run rows of the exercise's own that look at the learner's or at the world.
"""

from graphden.learn.checking import Report, Wrong, check
from graphden.learn.course import Course, Exercise, Lesson, course
from graphden.learn.desk import Desk

__all__ = ["Course", "Desk", "Exercise", "Lesson", "Report", "Wrong", "check", "course"]
