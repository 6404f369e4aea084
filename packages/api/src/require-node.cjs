// Loaded before everything else, also by versions of Node that cannot load TypeScript.
const minimum = 24
const { node } = process.versions
if (Number(node.split('.')[0]) < minimum) {
  const found = `this is ${node} (${process.execPath})`
  const remedy = 'Install it from https://nodejs.org/ or with: nvm install'
  process.stderr.write(`error: Muster needs Node ${minimum} or newer, and ${found}. ${remedy}\n`)
  process.exit(1)
}
