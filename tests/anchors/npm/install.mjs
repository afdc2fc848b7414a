// Unpacks tarballs as npm does, with the code of the npm that is installed, and prints what lies there.
//
//     node install.mjs NPM_MODULES LIST
//
// LIST is a JSON file: [[tarball, folder], ...]. Prints {tarball: {path: sha256} or null where npm fails}.
import { createRequire } from 'node:module'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const [modules, list] = process.argv.slice(2)
const pacote = createRequire(path.join(modules, 'npm', 'package.json'))('pacote')

function* walk(folder, below = '') {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* walk(path.join(folder, entry.name), name)
    else if (entry.isFile()) yield [name, path.join(folder, entry.name)]
  }
}

// Some archives make npm itself fall over, outside its promise: it fails for them, too.
let fail
process.on('uncaughtException', (error) => fail(error))
const failure = () => new Promise((_, reject) => { fail = reject })

const answers = {}
for (const [tarball, folder] of JSON.parse(fs.readFileSync(list, 'utf8'))) {
  try {
    await Promise.race([failure(), pacote.extract(`file:${tarball}`, folder, { cache: `${folder}.cache` })])
    answers[path.basename(tarball)] = Object.fromEntries(
      [...walk(folder)].map(([name, file]) => [name, createHash('sha256').update(fs.readFileSync(file)).digest('hex')]),
    )
  } catch {
    answers[path.basename(tarball)] = null
  }
}
process.stdout.write(JSON.stringify(answers))
