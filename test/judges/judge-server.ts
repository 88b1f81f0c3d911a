import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behaviour of a judge's endpoint for one question. */
export type JudgePlan =
  | { readonly kind: 'says'; readonly text: string }
  /** The answer is cut off at the token limit. */
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly body: string }
  /** A body that is not an answer of the API. */
  | { readonly kind: 'raw'; readonly body: string }
  /** An endless answer. */
  | { readonly kind: 'huge' }
  /** The connection breaks in the middle of the answer. */
  | { readonly kind: 'half' }
  | { readonly kind: 'hangs' }

/** A question as it arrived over the wire. */
export interface JudgeRequest {
  readonly path: string
  readonly authorization: string | null
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }
}

/** A local endpoint that speaks one API. */
export interface JudgeServer {
  readonly url: string
  readonly requests: readonly JudgeRequest[]
  close(): Promise<void>
}

type Api = 'ollama' | 'openai'

/** Opens an endpoint whose behaviour is chosen per question. */
export async function openJudgeServer(api: Api, planFor: (request: JudgeRequest) => JudgePlan): Promise<JudgeServer> {
  const requests: JudgeRequest[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { url: path = '', headers } = request
      const question = { path, authorization: headers.authorization ?? null, body: JSON.parse(text) }
      requests.push(question)
      if (path === PATHS[api]) answer(api, response, planFor(question))
      else response.writeHead(404).end('no such path')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
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
  const writeMore = () => {
    if (!response.destroyed) response.write('{'.repeat(65_536), writeMore)
  }
  writeMore()
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
