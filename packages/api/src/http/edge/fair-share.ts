/**
 * Something that workspaces share and hold for long: streams, bytes, requests to other servers.
 * None of them can be made to give it back, so a workspace gets at most as much as is left for the
 * others: half of it alone, a third each if there are two. With a reserve of four it gets at most a
 * quarter of what is left for the others, and more of them get something.
 */
export class FairShare {
  readonly #max: number
  readonly #reserve: number
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(max: number, reserve = 1) {
    this.#max = max
    this.#reserve = reserve
  }

  get total(): number {
    return this.#total
  }

  /** Takes an amount for a workspace, or returns false. */
  take(workspaceId: string, amount: number): boolean {
    const held = (this.#held.get(workspaceId) ?? 0) + amount
    if (held * this.#reserve > this.#max - this.#total - amount) return false
    this.#held.set(workspaceId, held)
    this.#total += amount
    return true
  }

  giveBack(workspaceId: string, amount: number): void {
    const held = (this.#held.get(workspaceId) ?? 0) - amount
    this.#total -= amount
    if (held > 0) this.#held.set(workspaceId, held)
    else this.#held.delete(workspaceId)
  }
}
