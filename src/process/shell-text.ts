/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Whether a shell can export a variable of this name to what it becomes, and does not keep the name for itself. */
export function isExportable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !OF_SHELLS.test(name)
}

// Some of these cannot even be set; the others change how the rest of the line is read.
const OF_SHELLS = /^(UID|EUID|PPID|OPTIND|GROUPS|SHELLOPTS|BASH\w*|POSIXLY_CORRECT|LINENO|IFS|PWD|OLDPWD|SHLVL|_)$/
