import type { Json } from '#test/support/client'

import { type Home, noFlows } from './clocked.ts'

export type Flows = { -readonly [K in keyof typeof noFlows]: number }

/** A random generator with a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed || 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Item {
  readonly path: string
  readonly project: string
  status: string
}

/** Changes items at random, and counts what happens, by project and for the whole workspace. */
export class Writer {
  readonly #home: Home
  readonly #random: (below: number) => number
  readonly projects: string[] = []
  readonly #risks: Item[] = []
  readonly #issues: Item[] = []
  readonly #tasks: Item[] = []
  #person = ''
  flows = new Map<string, Flows>()

  constructor(home: Home, seed: number) {
    this.#home = home
    this.#random = randomOf(seed)
  }

  async start(codes: readonly string[]): Promise<void> {
    this.#person = (await this.#home.send('POST', '/v1/personnel', { name: 'Ada' })).id
    for (const code of codes) {
      const body = { code, name: code, risk_appetite: 9 }
      this.projects.push((await this.#home.send('POST', '/v1/projects', body)).id)
    }
  }

  /** What happened since the last call. */
  takeFlows(): Map<string, Flows> {
    const taken = this.flows
    this.flows = new Map()
    return taken
  }

  async change(today: string): Promise<void> {
    const soon = new Date(Date.parse(today) + this.#random(4) * 86_400_000)
    const day = soon.toISOString().slice(0, 10)
    const kinds = [
      () => this.#newRisk(day),
      () => this.#newRisk(day),
      () => this.#newIssue(day),
      () => this.#newTask(day),
      () => this.#newTask(day),
      () => this.#changeRisk(day),
      () => this.#changeRisk(day),
      () => this.#changeIssue(),
      () => this.#changeTask(day),
    ]
    await kinds[this.#random(kinds.length)]?.()
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#random(from.length)]
  }

  #add(project: string, name: keyof Flows): void {
    for (const each of [project, '']) {
      const flows = this.flows.get(each) ?? { ...noFlows }
      flows[name] += 1
      this.flows.set(each, flows)
    }
  }

  async #create(noun: string, body: object): Promise<Item> {
    const project = this.#pick(this.projects) ?? ''
    const path = `/v1/projects/${project}/${noun}`
    const { id, status } = await this.#home.send('POST', path, body)
    return { path: `${path}/${id}`, project, status }
  }

  async #newRisk(day: string): Promise<void> {
    const rating = { likelihood: 1 + this.#random(5), impact: 1 + this.#random(5) }
    const risk = await this.#create('risks', { title: 'R', ...rating, review_on: day })
    this.#risks.push(risk)
    this.#add(risk.project, 'entered')
  }

  async #newIssue(day: string): Promise<void> {
    const severity = 1 + this.#random(5)
    const issue = await this.#create('issues', { title: 'I', severity, due_on: day })
    this.#issues.push(issue)
    this.#add(issue.project, 'issues_opened')
  }

  async #newTask(day: string): Promise<void> {
    const due = this.#random(4) === 0 ? null : day
    this.#tasks.push(await this.#create('tasks', { title: 'T', due_on: due }))
  }

  async #changeRisk(day: string): Promise<void> {
    const risk = this.#pick(this.#risks)
    if (risk === undefined) return
    const post = (verb: string, body: object): Promise<Json> =>
      this.#home.send('POST', `${risk.path}/${verb}`, body)
    if (risk.status === 'gone') {
      await post('reopen', {})
      risk.status = 'live'
      this.#add(risk.project, 'entered')
      return
    }
    const acceptance = { accepted_by_user_id: this.#person, expires_on: day, rationale: 'x' }
    const kind = this.#random(5)
    if (kind === 0) await post('close', { close_reason: 'treated' })
    else if (kind === 1) await post('occur', {})
    else if (kind === 2) await post('accept', acceptance)
    else await post('review', { likelihood: 1 + this.#random(5), note: 'n', review_on: day })
    if (kind > 1) return
    risk.status = 'gone'
    this.#add(risk.project, 'left')
    if (kind === 0) return
    this.#add(risk.project, 'occurred')
    this.#add(risk.project, 'issues_opened')
  }

  async #changeIssue(): Promise<void> {
    const issue = this.#pick(this.#issues)
    if (issue === undefined) return
    const isClosed = issue.status === 'closed'
    const reason = isClosed ? {} : { close_reason: 'resolved' }
    await this.#home.send('POST', `${issue.path}/${isClosed ? 'reopen' : 'close'}`, reason)
    issue.status = isClosed ? 'open' : 'closed'
    this.#add(issue.project, isClosed ? 'issues_opened' : 'issues_closed')
  }

  async #changeTask(day: string): Promise<void> {
    const task = this.#pick(this.#tasks)
    if (task === undefined) return
    const status = this.#pick(['todo', 'in_progress', 'done', 'cancelled']) ?? 'todo'
    await this.#home.send('PATCH', task.path, { status, due_on: day })
    const wasOpen = task.status !== 'done' && task.status !== 'cancelled'
    if (wasOpen && status === 'done') this.#add(task.project, 'tasks_done')
    task.status = status
  }

  /** Moves all items of a project to another one. */
  async archive(project: string, to: string): Promise<void> {
    const body = { if_live_items: 'transfer', to_project_id: to }
    await this.#home.send('POST', `/v1/projects/${project}/archive`, body)
    this.projects.splice(this.projects.indexOf(project), 1)
    for (const items of [this.#risks, this.#issues, this.#tasks]) {
      for (const [index, item] of items.entries()) if (item.project === project) items.splice(index)
    }
  }
}
