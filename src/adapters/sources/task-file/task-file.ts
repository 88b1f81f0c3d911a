import type { Backlog } from '../../../core/model/task.ts'
import { type PlacedFault, placedProblems } from '../../../core/reading/file-problems.ts'
import type { TaskSource } from '../../../ports/task-source.ts'
import { checkEntries } from './check-entries.ts'
import { notATaskFile, type RawBacklog } from './raw-backlog.ts'
import { readFormat } from './read-format.ts'

/** Reads tasks from a file: YAML, JSON, JSON lines or a Markdown checklist. */
export const taskFile: TaskSource = {
  name: 'task-file',
  read(name, content, known) {
    const text = content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
    const wrongKind = otherKind(name, text)
    if (wrongKind !== null) return placedProblems(name, [wrongKind], (fault) => fault)
    const { raw, faults } = readFormat(name, text)
    const checked = checkEntries(raw, known)
    const all = [...faults.map((fault) => () => fault), ...checked.faults]
    if (all.length > 0) return placedProblems(name, all, (fault) => fault())
    return raw.tasks.length > raw.done.size
      ? withoutDone(checked.backlog, raw)
      : placedProblems(name, [nothingToDo(raw)], (fault) => fault)
  },
}

function otherKind(name: string, text: string): PlacedFault | null {
  if (text.trim() === '') {
    const isChecklist = /\.(md|markdown)$/i.test(name)
    const form = isChecklist ? 'a checklist "- [ ] id: title".' : 'a list "tasks:" of entries with "id" and "title".'
    const hint = `Write tasks into it: ${form}`
    return { code: 'task-file-empty', line: null, message: 'the file is empty.', hint }
  }
  if (text.includes('\0')) return notATaskFile(null, 'it is binary, not text')
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return notATaskFile(1, 'it is an HTML or XML page')
  const garbled = text.indexOf('\uFFFD')
  return garbled < 0 ? null : notUtf8(text.slice(0, garbled).split('\n').length)
}

function notUtf8(line: number): PlacedFault {
  const hint = 'Save the file as UTF-8 and import it again.'
  return { code: 'task-file-syntax', line, message: 'it contains characters that are not UTF-8.', hint }
}

function nothingToDo(raw: RawBacklog): PlacedFault {
  const isAllDone = raw.tasks.length > 0
  return {
    code: 'task-file-empty',
    line: null,
    message: isAllDone ? 'every task in it is ticked off.' : 'it contains no tasks.',
    hint: isAllDone
      ? 'Add a task as "- [ ] id: title".'
      : 'Add at least one task with "id" and "title", in a checklist as "- [ ] id: title".',
  }
}

/** Removes duplicate dependencies, finished tasks and dependencies on them. */
function withoutDone({ tasks, milestones }: Backlog, { done }: RawBacklog): Backlog {
  const doneIds = new Set([...done].map((index) => tasks[index]?.id))
  const open = tasks.filter((_, index) => !done.has(index))
  return {
    milestones: milestones.map((it) => ({ ...it, after: it.after === null ? null : [...new Set(it.after)] })),
    tasks: open.map((it) => ({ ...it, after: [...new Set(it.after)].filter((id) => !doneIds.has(id)) })),
  }
}
