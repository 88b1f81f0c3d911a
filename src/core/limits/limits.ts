/** Rounds of one attempt that may be lost to engine crashes. */
export const LOST_ROUNDS_MAX = 5
/** Returns of work from verify or landing to implement, per attempt. */
export const RETURNS_MAX = 3
/** Reviews with findings, per attempt. */
export const REVIEWS_MAX = 3
/** Consecutive agent errors before the attempt fails. */
export const ERRORS_MAX = 5
/** Resumptions of a phase after rounds that timed out. */
export const TIMEOUT_RESUMES_MAX = 1
/** Recreations of a workspace that disappeared. */
export const WORKSPACE_LOSSES_MAX = 3
/** Tries of an effect that reports a problem, including the first. */
export const TROUBLE_TRIES_MAX = 3
/** Delay before such a retry, times the number of tries. */
export const TROUBLE_DELAY_MS = 250
/** Delay before an effect that ended but is still due starts again. */
export const RESTART_PAUSE_MS = 20
/** Characters of a check's output that go into a prompt. */
export const EXCERPT_MAX = 1500
/** Failed tests of one check that get separate findings. */
export const TEST_FAILURES_MAX = 20

/** Age up to which a passed check is reused on the same files; later, installed software may have changed. */
export const RECEIPT_MS_MAX = 24 * 3_600_000
/** Receipts that a store returns for one check on one tree. */
export const RECEIPTS_MAX = 5

/** Test names kept per check, for each of passed, failed and skipped. */
export const TEST_NAMES_MAX = 2_000
/** Maximum random delay after a limit's reset time. */
export const RESET_SLACK_MS_MAX = 30_000
/** Random share added to the delay of a limit with unknown reset time. */
export const JITTER_SHARE_MAX = 0.3
/** Interval at which an engine publishes that it still watches a round. */
export const HEARTBEAT_MS = 30_000
/** Missed heartbeats after which a published activity is stale. */
export const HEARTBEATS_MISSED_MAX = 3
/** Minimum time between two published activities of a session. */
export const ACTIVITY_PAUSE_MS = 500
/** Signs of life closer together than this count as one. */
export const SIGN_PAUSE_MS = 100
/** Silence after which a session is reported as quiet. */
export const QUIET_NOTICE_MS = 120_000
/** Factor by which a tool may be silent longer than a model. */
export const TOOL_PATIENCE = 3
/** Interval between retries of a target that could not follow, during a run. */
export const TARGET_RETRY_MS = 30_000
/** Delay before the first such retry and before a run ends, because a person may be in the middle of a commit. */
export const TARGET_SECOND_TRY_MS = 2_000
/** Repeated preparations of a candidate whose line moved. */
export const STALE_CANDIDATES_MAX = 5
/** Tries of one question to a judge, within one time limit. */
export const JUDGE_TRIES_MAX = 2
/** Confidence from which an opinion counts, and from which a person only has to approve. */
export const CONFIDENCE_PROCEED = 0.7
export const CONFIDENCE_CLARIFY = 0.5
/** Characters of a diff that a judge gets, per file and in total, and tokens of its opinion. */
export const DIFF_FILE_CHARACTERS_MAX = 6_000
export const DIFF_CHARACTERS_MAX = 48_000
export const OPINION_TOKENS_MAX = 1_500
/** Length of a milestone's summary, at four characters per token. */
export const SUMMARY_TOKENS_MAX = 1200
export const SUMMARY_CHARACTERS_MAX = 4 * SUMMARY_TOKENS_MAX
/** Characters of a milestone's facts that a judge gets. */
export const MILESTONE_FACTS_MAX = 24_000
/** Characters of a hand-off note that are kept. */
export const NOTE_CHARACTERS_MAX = 20_000
/** Turns of a tester's round, whatever its task and earlier retries. */
export const TESTER_TURNS_MAX = 100
/** Extra turns of a round for its hand-over. */
export const HAND_OVER_TURNS = 2
/** Tolerated difference between the agent's own total and ours, as a share. */
export const COST_DRIFT_MAX = 0.01
/** Distinct refusals by policy that an attempt's ledger records. */
export const DENIALS_RECORDED_MAX = 50
/** Refused hosts that are recorded per round. */
export const REFUSED_HOSTS_RECORDED_MAX = 50
/** Connections that a program in the sandbox may have open at a listener, and how long one may be idle. */
export const SANDBOX_CONNECTIONS_MAX = 256
export const SANDBOX_IDLE_MS_MAX = 600_000
/** Retries that an agent makes itself when the model's service is busy, and the delay before each. */
export const AGENT_RETRIES_MAX = 5
export const AGENT_RETRY_DELAY_MS_MAX = 60_000
/** Recorded tool calls per round; calls that only read do not count. */
export const CALLS_RECORDED_MAX = 100
/** Proposals and lessons per attempt. */
export const PROPOSALS_PER_ATTEMPT_MAX = 20
export const KNOWLEDGE_PER_ATTEMPT_MAX = 20
/** Size of a repository's knowledge. */
export const KNOWLEDGE_ENTRIES_MAX = 200
export const KNOWLEDGE_CHARACTERS_MAX = 40_000
/** Characters of knowledge in one prompt, and number of newest entries that match no task in particular. */
export const KNOWLEDGE_PROMPT_CHARACTERS_MAX = 1_500
export const KNOWLEDGE_NEWEST_MAX = 3
/** Shares of a budget that are reported. */
export const BUDGET_WARNINGS: readonly number[] = [0.5, 0.8, 1]
/** Time that stopped rounds get before they are killed. */
export const STOP_GRACE_MS = 10_000
/** Time that the removal of leftovers gets when an engine ends; the next engine continues it. */
export const REMOVAL_GRACE_MS = 2_000
/** Number and age of workspaces of failed attempts that are kept. */
export const KEPT_WORKSPACES_MAX = 5
export const KEPT_WORKSPACE_MS_MAX = 7 * 24 * 3_600_000
/** Age of salvaged work, transcripts and leftover verification checkouts that are kept. */
export const KEPT_SALVAGE_MS_MAX = 30 * 24 * 3_600_000
export const KEPT_TRANSCRIPT_MS_MAX = 30 * 24 * 3_600_000
export const KEPT_CHECKOUT_MS_MAX = 24 * 3_600_000
/** Age of temporary objects of git that are kept; a live git is still writing younger ones. */
export const KEPT_TEMPORARY_MS_MAX = 24 * 3_600_000
