/** Rounds of one attempt that may be lost to crashes of ours. */
export const LOST_ROUNDS_MAX = 5
/** How often work may come back from verify or landing to implement, per attempt. */
export const RETURNS_MAX = 3
/** Reviews of one attempt that may find something. */
export const REVIEWS_MAX = 3
/** Errors of an agent in a row before its attempt has failed. */
export const ERRORS_MAX = 5
/** How often a round that ran out of time is resumed. */
export const TIMEOUT_RESUMES_MAX = 1
/** How often a workspace that vanished is made again. */
export const WORKSPACE_LOSSES_MAX = 3
/** How often an effect that met trouble is tried in all. */
export const TROUBLE_TRIES_MAX = 3
/** The pause before an effect in trouble is tried again, times the number of tries. */
export const TROUBLE_DELAY_MS = 250
/** The pause before an effect that ended, and is due all the same, starts again. */
export const RESTART_PAUSE_MS = 20
/** Characters of a check's output that go into a prompt. */
export const EXCERPT_MAX = 1500
/** Failed tests of one check that are told each by themselves. */
export const TEST_FAILURES_MAX = 20

/** How long a passed check need not run again on the same files: longer, and what is installed may have changed. */
export const RECEIPT_MS_MAX = 24 * 3_600_000
/** Receipts that a store returns for one check on one tree. */
export const RECEIPTS_MAX = 5

/** How many tests of one check are known by name, of each: passed, failed, skipped. */
export const TEST_NAMES_MAX = 2_000
/** How long after a limit's reset time work goes on, at most. */
export const RESET_SLACK_MS_MAX = 30_000
/** How much an unknown limit's delay may vary. */
export const JITTER_SHARE_MAX = 0.3
/** How often an engine shows that a round is still watched. */
export const HEARTBEAT_MS = 30_000
/** Without a sign for so many heartbeats, what was shown of a round is out of date. */
export const HEARTBEATS_MISSED_MAX = 3
/** The shortest time between two showings of what a session does. */
export const ACTIVITY_PAUSE_MS = 500
/** Signs of life that come sooner after one another count as one. */
export const SIGN_PAUSE_MS = 100
/** After so long without a sign of life a session is told to be quiet. */
export const QUIET_NOTICE_MS = 120_000
/** A tool may be silent for so many times as long as a model. */
export const TOOL_PATIENCE = 3
/** How often a target that could not follow is tried again while a run goes on. */
export const TARGET_RETRY_MS = 30_000
/** A person may just be committing: how soon a target is tried again that could not follow, and before a run ends. */
export const TARGET_SECOND_TRY_MS = 2_000
/** How often a candidate whose line moved is prepared again. */
export const STALE_CANDIDATES_MAX = 5
/** How often a judge is asked the same, within one time limit. */
export const JUDGE_TRIES_MAX = 2
/** How sure a judge must be for its opinion to count, and for a person to be asked no more than yes or no. */
export const CONFIDENCE_PROCEED = 0.7
export const CONFIDENCE_CLARIFY = 0.5
/** How much of a change a judge is given: of each file, and in all; and how long its opinion may be. */
export const DIFF_FILE_CHARACTERS_MAX = 6_000
export const DIFF_CHARACTERS_MAX = 48_000
export const OPINION_TOKENS_MAX = 1_500
/** How long a milestone's summary may be; a token is taken for four characters. */
export const SUMMARY_TOKENS_MAX = 1200
export const SUMMARY_CHARACTERS_MAX = 4 * SUMMARY_TOKENS_MAX
/** Characters of what is recorded of a milestone that a judge is given. */
export const MILESTONE_FACTS_MAX = 24_000
/** Characters of a hand-off note that are kept. */
export const NOTE_CHARACTERS_MAX = 20_000
/** Turns that a round of a tester takes at most, whatever its task and however often it ran out of them. */
export const TESTER_TURNS_MAX = 100
/** Turns beyond its limit that a round may take to hand over. */
export const HAND_OVER_TURNS = 2
/** How far an agent's own total of money may be from ours, as a share. */
export const COST_DRIFT_MAX = 0.01
/** Different refusals by policy that an attempt's ledger tells. */
export const DENIALS_RECORDED_MAX = 50
/** How often an agent may try again by itself when the model's service is busy, and how long it may wait for one try. */
export const AGENT_RETRIES_MAX = 5
export const AGENT_RETRY_DELAY_MS_MAX = 60_000
/** Calls of our tools that one round's agent has recorded; what it only reads is not counted. */
export const CALLS_RECORDED_MAX = 100
/** Tasks that one attempt may propose, and things it may record for others to know. */
export const PROPOSALS_PER_ATTEMPT_MAX = 20
export const KNOWLEDGE_PER_ATTEMPT_MAX = 20
/** What is kept of what agents learned in a repository. */
export const KNOWLEDGE_ENTRIES_MAX = 200
export const KNOWLEDGE_CHARACTERS_MAX = 40_000
/** Characters of it in one prompt, and how many of the newest entries that fit no task in particular. */
export const KNOWLEDGE_PROMPT_CHARACTERS_MAX = 1_500
export const KNOWLEDGE_NEWEST_MAX = 3
/** Shares of a budget that are told. */
export const BUDGET_WARNINGS: readonly number[] = [0.5, 0.8, 1]
/** Seconds that stopped rounds get before they are killed. */
export const STOP_GRACE_MS = 10_000
/** Failed attempts whose workspaces are kept, and for how long. */
export const KEPT_WORKSPACES_MAX = 5
export const KEPT_WORKSPACE_MS_MAX = 7 * 24 * 3_600_000
/** How long salvaged work and transcripts are kept, and checkouts that a verification left behind. */
export const KEPT_SALVAGE_MS_MAX = 30 * 24 * 3_600_000
export const KEPT_TRANSCRIPT_MS_MAX = 30 * 24 * 3_600_000
export const KEPT_CHECKOUT_MS_MAX = 24 * 3_600_000
