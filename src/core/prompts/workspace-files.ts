/** The folder in a workspace that is never committed. */
export const PROGRESS_FOLDER = '.longhaul'

/** Where an agent finds the whole output of a check that was red, from the workspace's root. */
export function checkOutputFile(check: string): string {
  return `${PROGRESS_FOLDER}/checks/${
    check
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'check'
  }.txt`
}

/** Where agents keep notes for whoever goes on with the task, from the workspace's root. */
export const PROGRESS_FILE = `${PROGRESS_FOLDER}/progress.md`

/** Where a reviewer finds what has changed, as a diff, from the workspace's root. */
export const WORK_FILE = `${PROGRESS_FOLDER}/changes.diff`

/** Where agents that test in a browser keep their pictures, and the browser its profile. */
export const SCREENSHOT_FOLDER = `${PROGRESS_FOLDER}/screenshots`
export const BROWSER_FOLDER = `${PROGRESS_FOLDER}/browser`
