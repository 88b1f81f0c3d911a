/** True for a file that is a test, or supports tests, by its path. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path)
}

/** True for a file with data or code that only tests use, by its path: fixtures, snapshots, helpers. */
export function isTestSupport(path: string): boolean {
  return TEST_SUPPORT.test(path) || TEST_DATA.test(path)
}

/** True for a file that takes the place of another in tests, by its path. */
export function isMock(path: string): boolean {
  return MOCK.test(path)
}

const TEST_SUPPORT =
  /(?:^|\/)(?:__)?(?:fixtures?|snapshots?|mocks|testdata|testing|test[-_](?:utils?|helpers?|support|data)|golden)(?:__)?(?:\/|\.\w+$)|\.snap$/

const TEST_DATA =
  /(?:^|[/._-])(?:cases|expected|expectations?|approved|cassettes?)(?:[/._-].*)?\.(?:json|ya?ml|txt|csv|tsv|xml|html|toml)$/

const MOCK = /(?:^|\/)__mocks__\//

/** Paths of tests in the usual languages. */
export const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.\w+$|_test\.(?:go|py|rb|exs|dart|cc|cpp)$|[-_]test\.[cm]?[jt]sx?$|(?:^|\/)test-[^/]*\.[cm]?[jt]sx?$|(?:^|\/)test_[^/]*\.py$|_spec\.rb$|Tests?\.(?:java|kt|cs|swift|php)$|(?:^|\/)tests?\.\w+$/
