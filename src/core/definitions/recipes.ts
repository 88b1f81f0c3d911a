/** Rule of a Makefile or recipe of a justfile. */
export interface Recipe {
  readonly needs: readonly string[]
  readonly commands: readonly string[]
}

/** Text of a Makefile or justfile, split into rules and all that applies to every rule. */
export interface RecipeFile {
  readonly recipes: ReadonlyMap<string, Recipe>
  /** Variables, includes, settings and pattern rules. */
  readonly shared: string
  readonly variables: ReadonlyMap<string, string>
  readonly first: string | null
  /** Targets that make runs even where a file has their name. */
  readonly phony: ReadonlySet<string>
  readonly includes: readonly string[]
}

/** Splits a Makefile or a justfile. */
export function parseRecipes(text: string): RecipeFile {
  const recipes = new Map<string, { needs: string[]; commands: string[] }>()
  const shared: string[] = []
  const phony = new Set<string>()
  let open: readonly { needs: string[]; commands: string[] }[] | null = null
  let first: string | null = null
  for (const line of text.replace(/\\\n\s*/g, ' ').split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue
    if (/^\s/.test(line) && open !== null) {
      for (const recipe of open) recipe.commands.push(line.trim())
      continue
    }
    const rule = line.length > LINE_MAX ? null : RULE.exec(line)
    open = null
    if (rule === null || /[%$]|^\.(?!PHONY)/.test(rule[1] ?? '')) {
      shared.push(line.trim())
      continue
    }
    const [, heads = '', needs = ''] = rule
    if (heads.startsWith('.PHONY')) {
      for (const name of needs.split(/\s+/)) phony.add(name)
      continue
    }
    const [prerequisites = '', ...inline] = needs.split(';')
    const names = headNames(heads)
    first ??= names[0] ?? null
    open = names.map((name) => {
      const recipe = recipes.get(name) ?? { needs: [], commands: [] }
      recipe.needs.push(...prerequisites.split(/[\s()&|]+/).filter((word) => word !== ''))
      recipe.commands.push(...inline.map((command) => command.trim()))
      recipes.set(name, recipe)
      return recipe
    })
  }
  return { recipes, shared: shared.join('\n'), first, phony, ...declared(shared) }
}

/** Returns the names of all recipes that some need. */
export function neededRecipes({ recipes, first }: RecipeFile, targets: readonly string[]): readonly string[] {
  const needed = new Set<string>()
  const visit = (name: string): void => {
    if (needed.has(name)) return
    const recipe = recipes.get(name)
    if (recipe === undefined) return
    needed.add(name)
    recipe.needs.forEach(visit)
  }
  for (const target of targets.length > 0 ? targets : first === null ? [] : [first]) visit(target)
  return [...needed]
}

/** Returns what applies to some recipes: all shared lines but those of variables that they do not use. */
export function sharedBy({ shared, recipes, variables }: RecipeFile, names: readonly string[]): string {
  const used = new Set<string>()
  const visit = (text: string): void => {
    for (const [, make, just] of text.matchAll(REFERENCE)) {
      const name = make ?? just ?? ''
      if (used.has(name)) continue
      used.add(name)
      visit(variables.get(name) ?? '')
    }
  }
  for (const name of names) visit(JSON.stringify(recipes.get(name)))
  const isNeeded = (line: string) => {
    const name = ASSIGNED.exec(line)?.[1]
    return name === undefined || used.has(name) || SPECIAL.has(name)
  }
  return shared.split('\n').filter(isNeeded).join('\n')
}

/** Returns a recipe's commands with the file's variables filled in, without the marks that silence them. */
export function recipeCommands({ variables }: RecipeFile, { commands }: Recipe): readonly string[] {
  return commands.map((command) => {
    return filled(command, variables, 0)
      .replace(/^[@\-+]+/, '')
      .replaceAll('$$', '$')
      .replace(/\$[({]MAKE[)}]/g, 'make')
  })
}

function filled(text: string, variables: ReadonlyMap<string, string>, depth: number): string {
  const next = text.replace(REFERENCE, (all, make, just) => variables.get(make ?? just) ?? all)
  return next === text || depth > 5 ? next : filled(next, variables, depth + 1)
}

// A just recipe has parameters after its name, a make rule further targets; a parameter taken for a target does no harm.
function headNames(heads: string): readonly string[] {
  return heads
    .replace(/^@/, '')
    .split(/\s+/)
    .filter((word) => /^[\w./-]+$/.test(word))
}

function declared(shared: readonly string[]): Pick<RecipeFile, 'variables' | 'includes'> {
  const variables = new Map<string, string>()
  const includes: string[] = []
  for (const line of shared) {
    const [, name = '', value = ''] = /^(?:export\s+|override\s+)?(\w+)\s*(?::=|::=|\?=|\+=|=)\s*(.*)$/.exec(line) ?? []
    if (name !== '') variables.set(name, value.replace(/^(["'])(.*)\1$/, '$2'))
    const [, files = ''] = /^(?:-?include|sinclude|import\??)\s+(.*)$/.exec(line) ?? []
    includes.push(
      ...files
        .replace(/\$\(wildcard\s+/g, '$(wildcard')
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => word.replace(/^["']|["']$/g, '')),
    )
  }
  return { variables, includes }
}

const RULE = /^([^\s=:#][^=:]*?)\s*::?(?![=])\s*([^=]*(?:;.*)?)$/
const REFERENCE = /\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}/g
const ASSIGNED = /^(\w+)\s*(?::=|::=|\?=|\+=|=)/
const SPECIAL = new Set(['SHELL', 'MAKEFLAGS', 'MAKEFILES', 'PATH', 'NODE_OPTIONS', 'PYTHONPATH'])
const LINE_MAX = 2000
