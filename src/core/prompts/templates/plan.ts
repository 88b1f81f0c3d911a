/** What the phase plan asks for. */
export const PLAN = `Plan this work before anything is written. Look at what is there, and change no files.

Answer with the plan: the parts it comes to, in an order in which each can be built and checked by itself; which files or folders each part needs; what is decided now and what can wait; what could go wrong. Keep to what the task asks for.`
