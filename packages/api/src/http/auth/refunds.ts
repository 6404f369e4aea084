import type { Rates } from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'

import { FixedWindow } from './fixed-window.ts'
import type { SharedCounts } from './shared-counts.ts'

interface RefundOptions {
  readonly rates: Rates
  readonly prefix: string
  readonly shared: SharedCounts | null
}

/**
 * Limits refunds: a key and a workspace get as many a minute as they have requests. Each refunded
 * request was authenticated, so a caller can cause at most twice its limit of authentications.
 */
export class Refunds {
  readonly #key: FixedWindow
  readonly #workspace: FixedWindow

  constructor({ rates: { key, workspace }, ...options }: RefundOptions) {
    const detail = 'Further requests are not refunded in this minute.'
    this.#key = new FixedWindow({ ...options, name: 'key_refund', perMinute: key, detail })
    this.#workspace = new FixedWindow({
      ...options,
      name: 'workspace_refund',
      perMinute: workspace,
      detail,
    })
  }

  /** Counts a refund. Returns false, and counts none, when the key or the workspace has no more. */
  async take({ id, workspaceId }: Principal): Promise<boolean> {
    const [key, workspace] = [this.#key, this.#workspace]
    if (key.exhaustedState(id) ?? workspace.exhaustedState(workspaceId)) return false
    const [ofKey, ofWorkspace] = await Promise.all([
      key.consume(id),
      workspace.consume(workspaceId),
    ])
    if (!ofKey.isExceeded && !ofWorkspace.isExceeded) return true
    if (!ofKey.isExceeded) key.refund(id)
    if (!ofWorkspace.isExceeded) workspace.refund(workspaceId)
    return false
  }
}
