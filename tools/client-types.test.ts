import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import { contractTypes } from './client-types.ts'

const folder = '.build/client-types'

/** Every part of every operation: assignable from the plain type to the source, and back. */
const comparison = `
import type { Input, ListOperation, Operation, Operations, Output } from '@muster/contract'
import type * as plain from './contract.js'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'narrower') : 'wider'
type Plain = plain.Operations

// Where the source has any text, the plain type of \`include\` has the values.
type Typed<I> = Omit<I, 'query'> & {
  query: I extends { query: infer Q } ? Omit<Q, 'include'> : never
}

type Parts<O extends Operation> = Typed<Input<O>> & {
  output: Output<O>
  isList: O extends ListOperation ? true : false
}
type PlainParts<P extends plain.Operation> = Typed<P['input']> & {
  output: P['output']
  isList: P extends plain.ListOperation ? true : false
}

type Different<A, B> = {
  [K in keyof A & string]: K extends keyof B
    ? Same<A[K], B[K]> extends true ? never : \`\${K} is \${Same<A[K], B[K]>}\`
    : \`\${K} is missing\`
}[keyof A & string]

type Differences = {
  [N in keyof Operations]: {
    [V in keyof Operations[N] & string]: V extends keyof Plain[N]
      ? Operations[N][V] extends infer O extends Operation
        ? Plain[N][V] extends infer P extends plain.Operation
          ? \`\${N}.\${V}: \${Different<Parts<O>, PlainParts<P>>}\`
          : \`\${N}.\${V} is no operation\`
        : never
      : \`\${N}.\${V} is missing\`
  }[keyof Operations[N] & string]
}[keyof Operations]

declare const differences: Differences
export const none: never = differences
`

function compile(types: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/contract.d.ts`, types)
  writeFileSync(`${folder}/comparison.ts`, comparison)
  const options = {
    noEmit: true,
    composite: false,
    incremental: false,
    emitDeclarationOnly: false,
    rootDir: '../..',
  }
  const config = { extends: '../../tsconfig.base.json', compilerOptions: options }
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ ...config, include: ['comparison.ts'] }),
  )
  return spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], {
    encoding: 'utf8',
  }).stdout
}

test('the types of the client package are those of the contract', () => {
  const types = contractTypes()
  assert.equal(compile(types), '')
  const other = types.replace('"name": string', '"name": number')
  assert.notEqual(other, types)
  assert.match(compile(other), /"personnel\.\w+: output is wider"/)
})
