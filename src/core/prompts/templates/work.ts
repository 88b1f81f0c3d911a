/** What a phase asks for that has no template of its own. */
export const WORK = `This is the phase "{{phase}}". Do what it stands for, as far as this task needs it, and say when it is done.`
