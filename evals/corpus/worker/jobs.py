class Job:
    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.tries = 0

    def run(self):
        self.tries += 1
        head, _, tail = self.text.partition("=")
        return head.strip(), int(tail)


class Queue:
    def __init__(self, tries=2):
        self.tries = tries
        self.done = {}
        self.log = []

    def work(self, job):
        for turn in range(self.tries):
            try:
                key, value = job.run()
            except Exception as problem:
                self.log.append((job.name, turn, type(problem).__name__))
                continue
            self.done[key] = value
            return True
        return False

    def drain(self, jobs):
        finished = 0
        for job in jobs:
            self.work(job)
            finished += 1
        return finished


def total(lines):
    queue = Queue()
    queue.drain(Job(f"job{number}", line) for number, line in enumerate(lines))
    return sum(queue.done.values())
