import { expect, test } from 'vitest'
import { setupFolders } from './setup-folders.ts'

test.each([
  [['npm ci'], ['node_modules']],
  [['pnpm install --frozen-lockfile', 'yarn', 'yarn --immutable'], ['node_modules']],
  [
    ["cd 'web app' && npm install", 'cd api && uv sync --locked'],
    ['web app/node_modules', 'api/.venv'],
  ],
  [['python3 -m venv .venv', '.venv/bin/pip install -r requirements.txt'], ['.venv']],
  [['python3 -m venv /opt/shared', 'cargo fetch', 'npm run build', 'echo yarn berry'], []],
])('%j creates %j', (commands, folders) => expect(setupFolders(commands)).toEqual(folders))
