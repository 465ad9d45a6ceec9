import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

suite('files of the root', () => {
  test('.node-version names the Node.js that package.json installs', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.equal(readFileSync('.node-version', 'utf8').trim(), dependencies.node)
  })

  test('.gitattributes marks files that exist', () => {
    const paths = [...readFileSync('.gitattributes', 'utf8').matchAll(/^\/(\S+) /gm)].map(([, path = '']) => path)
    assert.ok(paths.length > 0)
    for (const path of paths) assert.ok(globSync(path).length > 0, path)
  })
})
