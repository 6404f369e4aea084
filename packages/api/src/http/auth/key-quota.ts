import type { Principal } from '#domain/auth/authenticate'

import type { FixedWindow, WindowState } from './fixed-window.ts'

type Counted = Pick<Principal, 'id' | 'workspaceId'>

/** The quota of a key and that of its workspace, which count the same requests. */
export class KeyQuota {
  readonly #key: FixedWindow
  readonly #workspace: FixedWindow

  constructor(key: FixedWindow, workspace: FixedWindow) {
    this.#key = key
    this.#workspace = workspace
  }

  /** The state of a quota that is known to be exhausted, without counting. */
  exhaustedState({ id, workspaceId }: Counted): WindowState | null {
    return this.#key.exhaustedState(id) ?? this.#workspace.exhaustedState(workspaceId)
  }

  /**
   * Counts a request, unless a quota is known to be exhausted: then returns its state alone. A
   * request that exceeds one of the two does not count against the other.
   */
  async consume(counted: Counted): Promise<readonly WindowState[]> {
    const exhausted = this.exhaustedState(counted)
    if (exhausted) return [exhausted]
    const { id, workspaceId } = counted
    const [ofKey, ofWorkspace] = await Promise.all([
      this.#key.consume(id),
      this.#workspace.consume(workspaceId),
    ])
    if (ofKey.isExceeded) this.#workspace.refund(workspaceId)
    else if (ofWorkspace.isExceeded) this.#key.refund(id)
    return [ofKey, ofWorkspace]
  }

  refund({ id, workspaceId }: Counted): void {
    this.#key.refund(id)
    this.#workspace.refund(workspaceId)
  }
}
