/** Files that an attempt may not change by itself. */
export interface GuardedFiles {
  /** Globs of `gates[].protect`. */
  readonly protect: readonly string[]
  /** Files with settings, prompts and scripts that the run uses. */
  readonly settings: readonly string[]
  /** Globs of the task's `may_change`, which free files of all guards. */
  readonly mayChange: readonly string[]
}
