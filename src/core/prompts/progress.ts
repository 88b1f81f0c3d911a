/** The folder in a workspace that is never committed. */
export const PROGRESS_FOLDER = '.longhaul'

/** Where agents keep notes for whoever goes on with the task, from the workspace's root. */
export const PROGRESS_FILE = `${PROGRESS_FOLDER}/progress.md`
