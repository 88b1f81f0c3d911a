/** True for a file that is a test, or supports tests, by its path. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path)
}

/** Paths of tests in the usual languages. */
export const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.\w+$|_test\.(?:go|py|rb|exs)$|(?:^|\/)test_[^/]*\.py$|_spec\.rb$|Tests?\.(?:java|kt|cs|swift)$|(?:^|\/)tests?\.\w+$/
