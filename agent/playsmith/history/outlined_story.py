"""The story of a run whose outline is known: `{name, tasks, batches}` for each play."""
from playsmith.history.story import Story


class OutlinedStory(Story):
    """A task's number is its place in the outline. What a play leaves out, since no host needs it, counts as done once the next one begins."""

    def __init__(self, outline):
        super().__init__()
        self.parts, tasks = [], 0
        for play in outline:
            for _ in range(play["batches"]):
                self.parts.append((play["name"], tasks))
                tasks += play["tasks"]
        self.next, self.shift, self.shown = 0, 0, 0

    def told(self, kind, data, event):
        told = super().told(kind, data, event)
        if told and told["type"] == "play-started":
            self.begin(told["name"])
        if told and told["type"] == "task-started":
            self.shown = max(self.shown, told["number"] + self.shift)
            told["number"] = self.shown
        return told

    def begin(self, play):
        """A play, or its next batch. One that nobody foresaw has hosts that came into a group as they answered."""
        for index, (name, before) in enumerate(self.parts[self.next:], self.next + 1):
            if name == play:
                self.next, self.shift = index, before - self.number
                return
