/** Files of a test suite, by path; each suite passes, fails, skips, crashes, nests, repeats and lies. */
export type Suite = Readonly<Record<string, string>>
