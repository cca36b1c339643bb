"""What users of peers complained about, each as a test of what gputab does instead.

Every test names the public issues that it answers (repository#number), says how its figures come about, and runs the program on a scene.
`ELSEWHERE` names the tests of other layers that answer an issue, `NOT_OURS` the issues about what gputab does not do, each with its
reason: an issue in none of the three, a named test that does not exist, and a test that fails are failures.

    complaints.py GPUTAB [NAME...]
"""
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import issues
import prices
import shares
import totals
import exports
import times
import automation

ROOT = os.path.dirname(os.path.dirname(HERE))


def all_tests():
    for module in (prices, shares, totals, times, exports, automation):
        yield from module.TESTS


def unanswered(tests):
    """Issues that nothing answers, and answers to issues that nobody raised."""
    answered = {i for t in tests for i in t.answers} | set(issues.ELSEWHERE) | set(issues.NOT_OURS)
    for issue in issues.ALL:
        if issue not in answered:
            yield '%s: no test answers it' % issue
    for issue in sorted(answered - set(issues.ALL)):
        yield '%s: is no issue of the list' % issue
    for issue, path in issues.ELSEWHERE.items():
        if not os.path.exists(os.path.join(ROOT, 'tests', path)):
            yield '%s: tests/%s does not exist' % (issue, path)


def run(test, gputab):
    """Whether it passes; what is wrong is printed."""
    try:
        test(gputab)
        return True
    except Exception:                      # one test must not hide the others
        print('FAIL %s (%s)' % (test.__name__, ', '.join(test.answers)))
        traceback.print_exc(file=sys.stdout)
        return False


def main(argv):
    gputab, names = argv[1], argv[2:]
    results = [run(t, gputab) for t in all_tests() if not names or t.__name__ in names]
    if not names:
        faults = list(unanswered(list(all_tests())))
        for fault in faults:
            print('FAIL %s' % fault)
        results.append(not faults)
    print('%d passed, %d failed' % (results.count(True), results.count(False)))
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv))
