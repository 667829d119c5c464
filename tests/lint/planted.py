"""A folder of its own with planted violations: a lint that finds nothing must be known to look."""

import pathlib
import tempfile
import unittest


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def plant(self, path, text):
        where = self.root / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(text, encoding="utf-8")

    def complains(self, lint, *words):
        found = lint.problems(self.root)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def content(self, lint):
        self.assertEqual(lint.problems(self.root), [])
