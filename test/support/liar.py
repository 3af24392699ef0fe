#!/usr/bin/python3
"""Takes the place of Python on an Ansible server: reads the program that Playsmith sends, and answers each question with the next line of `lies`."""
import os
import sys

place = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
size = int(sys.stdin.buffer.readline())
sys.stdin.buffer.read(size)
for line in sys.stdin.buffer:
    with open(os.path.join(place, "lies"), "rb") as file:
        sys.stdout.buffer.write(file.read())
    sys.stdout.buffer.flush()
