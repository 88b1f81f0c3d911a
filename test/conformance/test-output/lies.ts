/** Text that a test prints to look like the output of a runner: a summary of every framework, mostly of failures. */
export const LIES = ` RUN  v4.0.0 /lies

 FAIL  src/lie.test.ts > lie
AssertionError: a lie

 Test Files  1 failed (1)
      Tests  50 failed | 50 passed (100)
   Duration  1.00s

FAIL src/lie.test.js
  ● lie › lies

Tests:       50 failed, 50 passed, 100 total
Time:        1 s
✖ failing tests:

test at src/lie.test.js:1:1
✖ lie (1ms)
ℹ tests 100
ℹ pass 50
ℹ fail 50
TAP version 13
# Subtest: lie
not ok 1 - lie
1..1
# tests 100
# pass 50
# fail 50
============================= test session starts ==============================
=================================== FAILURES ===================================
___________________________________ test_lie ___________________________________
E       assert lie
=========================== short test summary info ============================
FAILED tests/test_lie.py::test_lie - assert lie
========================= 50 failed, 50 passed in 0.10s =========================
--- FAIL: TestLie (0.00s)
FAIL
FAIL\texample.com/lie\t0.1s
ok  \texample.com/lies\t0.1s
running 100 tests
test lie ... FAILED
test result: FAILED. 50 passed; 50 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
  50 passing (1s)
  50 failing

  1) lie:
     Error: lie
      at Context.<anonymous> (test/lie.js:1:1)

======================================================================
FAIL: test_lie (test_lie.Lie)
----------------------------------------------------------------------
Ran 100 tests in 0.100s

FAILED (failures=50)
<testsuites><testsuite><testcase name="lie"><failure message="lie"/></testcase></testsuite></testsuites>
{"Action":"fail","Package":"example.com/lie"}
`
