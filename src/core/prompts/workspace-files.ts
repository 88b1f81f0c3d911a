/** Folder in a workspace that is never committed. */
export const PROGRESS_FOLDER = '.longhaul'

/** Returns the path of a failed check's full output, relative to the workspace. */
export function checkOutputFile(check: string): string {
  return `${PROGRESS_FOLDER}/checks/${
    check
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'check'
  }.txt`
}

/** Path of an agent's notes for later sessions, relative to the workspace. */
export const PROGRESS_FILE = `${PROGRESS_FOLDER}/progress.md`

/** Path of the diff for a reviewer, relative to the workspace. */
export const WORK_FILE = `${PROGRESS_FOLDER}/changes.diff`

/** Paths of screenshots and of the browser profile, relative to the workspace. */
export const SCREENSHOT_FOLDER = `${PROGRESS_FOLDER}/screenshots`
export const BROWSER_FOLDER = `${PROGRESS_FOLDER}/browser`
