import { Socket } from 'node:net'

/** Whether an address is loopback. */
export const isLoopback = (address: string) => address.startsWith('127.') || address === '::1'

/** Calls `take` with the address of every TCP connection that this process attempts. */
export function watchAttempts(take: (address: string) => void): void {
  // The method is called with the socket as its receiver.
  const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket
  Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', take)
    return connect.apply(this, args)
  })
}
