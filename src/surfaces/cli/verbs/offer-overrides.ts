import type { Command } from 'commander'
import { OVERRIDES } from '../../../config/overrides.ts'

/** Gives a command the flags that go over settings; the schema judges what is typed. */
export function offerOverrides(command: Command): Command {
  return OVERRIDES.reduce(
    (shaped, { flag, placeholder, about }) => shaped.option(`${flag} <${placeholder}>`, about),
    command,
  )
}
