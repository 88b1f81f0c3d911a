/** How a session that is nearly full is asked for its note. */
export const NOTE_REQUEST = `Your context window is nearly full. A fresh session goes on with this task in this folder, at this very state; it has the task's brief, the folder, and what you write now, and nothing else of what you know. Use no tools. Answer with the note alone, in this form:

<hand-off>
## Goal
What the task comes to, in a sentence or two.
## Completed
- path/of/a/file: what is finished there
## Remaining
1. What comes next, in order.
## Do not redo
- What was tried and led nowhere, and what must not be done again.
## Decisions
- What was decided, and why.
</hand-off>`

/** What the agent keeps and drops when it compacts its own context. */
export const COMPACT_GUIDANCE = `Keep: the task's id, title and state; which files were changed and why; the results of the last checks; the phase; what the task depends on; git operations that were made; results of tools that the remaining work needs.
Discard: screenshots; long listings; files that were read more than once (keep the latest); output of installations; clean lint and format output.`
