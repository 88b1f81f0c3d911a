import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a judge's endpoint behaves when it is asked. */
export type JudgePlan =
  | { readonly kind: 'says'; readonly text: string }
  /** The model had to stop in the middle of its answer. */
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly body: string }
  /** Something that is no answer of the API. */
  | { readonly kind: 'raw'; readonly body: string }
  /** More than any opinion needs, without end. */
  | { readonly kind: 'huge' }
  /** The connection breaks within the answer. */
  | { readonly kind: 'half' }
  | { readonly kind: 'hangs' }

/** One question, as it came over the wire. */
export interface Heard {
  readonly path: string
  readonly authorization: string | null
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }
}

/** An endpoint on this machine that speaks one API. */
export interface JudgeServer {
  readonly url: string
  readonly heard: readonly Heard[]
  close(): Promise<void>
}

type Api = 'ollama' | 'openai'

/** Opens an endpoint; what it does is decided for each question anew. */
export async function openJudgeServer(api: Api, planFor: (heard: Heard) => JudgePlan): Promise<JudgeServer> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { url: path = '', headers } = request
      const one = { path, authorization: headers.authorization ?? null, body: JSON.parse(text) }
      heard.push(one)
      if (path === PATHS[api]) answer(api, response, planFor(one))
      else response.writeHead(404).end('no such path')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const PATHS = { ollama: '/api/chat', openai: '/v1/chat/completions' }

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function answer(api: Api, response: ServerResponse, plan: JudgePlan): void {
  const json = { 'content-type': 'application/json' }
  switch (plan.kind) {
    case 'says':
    case 'cut':
      response.writeHead(200, json).end(JSON.stringify(FORMS[api](plan.text, plan.kind === 'cut' ? 'length' : 'stop')))
      return
    case 'status':
      response.writeHead(plan.status, json).end(plan.body)
      return
    case 'raw':
      response.writeHead(200, json).end(plan.body)
      return
    case 'huge':
      response.writeHead(200, json)
      flood(response)
      return
    case 'half':
      response.writeHead(200, { ...json, 'content-length': '1000' })
      response.write('{"message": {"content": "hal', () => response.destroy())
      return
    case 'hangs':
      return
  }
}

function flood(response: ServerResponse): void {
  const goOn = () => {
    if (!response.destroyed) response.write('{'.repeat(65_536), goOn)
  }
  goOn()
}

const FORMS = {
  ollama: (content: string, why: string) => ({
    model: 'm',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content },
    done: true,
    done_reason: why,
    total_duration: 1,
    prompt_eval_count: 10,
    eval_count: 20,
  }),
  openai: (content: string, why: string) => ({
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: why }],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  }),
}
