import type { FastifyInstance } from 'fastify'

import type { Authenticator } from '#domain/auth/authenticate'
import { viewStepUpMethods } from '#domain/auth/step-up'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import { browserCaller } from './browser-caller.ts'
import { sendJson } from './sign-in-response.ts'

/**
 * What the console offers for a step-up. Not an operation of the contract, because only sessions
 * need a recent sign-in.
 */
export function addStepUp(
  app: FastifyInstance,
  { authenticator }: { readonly authenticator: Authenticator },
): void {
  const readInput = inputReader({ method: 'GET' })
  app.route({
    method: 'GET',
    url: '/account/step-up',
    config: { operation: 'step_up.view', scope: 'person' },
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      await readInput(request)
      const caller = browserCaller(request, authenticator, 'step_up.view')
      return sendJson(reply, 200, await viewStepUpMethods(caller))
    },
  })
}
