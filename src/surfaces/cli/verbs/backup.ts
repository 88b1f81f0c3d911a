import { join, resolve } from 'node:path'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { untilInterrupted } from '../interrupts.ts'
import { sizeText } from '../render/folder-size.ts'
import { missingRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'

/** `longhaul backup`: copies the state into one file. */
export const backupVerb: Verb = {
  about:
    'Copies the whole state (all runs, with every event) into a new file and compares the copy with its checksums. An engine may be running: the copy is of one moment. Without FILE it is written beside the workspaces. "longhaul import FILE" restores it where there is no state. Commits and transcripts are not in it.',
  examples: ['longhaul backup', 'longhaul backup /mnt/usb/my-project.db --json'],
  shape: (command) =>
    void command
      .argument('[file]', 'a file that does not exist yet, best on another disk')
      .option('--json', 'print what was written as JSON'),
  async run({ world, output }, { args }) {
    const repository = await findRepository({ world })
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const file = args[0] === undefined ? usualFile(repository, world.clock) : resolve(world.folder, args[0])
    const { signal, close } = untilInterrupted(world)
    const written = await (await repository.backups()).write(file, signal)
    close()
    if (signal.aborted) return EXIT.interrupted
    const { bytes, counts } = unwrap(written)
    output.json({ file, bytes, runs: counts.runs, events: counts.events })
    const size = sizeText({ bytes, isPartial: false })
    output.line(
      `Wrote ${file}: ${counted(counts.runs, 'run')} with ${counted(counts.events, 'event')}, ${size}. All of it matches its checksums.`,
    )
    output.line(`To restore it where there is no state: longhaul import ${file}`)
    return EXIT.done
  },
}

function usualFile({ workspacesHome }: Repository, clock: Clock): string {
  const moment = new Date(clock.now()).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  return join(`${workspacesHome}.backups`, `${moment}.db`)
}
