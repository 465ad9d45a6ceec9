import { readFileSync } from 'node:fs'

/** The anchors of a Markdown document, as the sites that show Markdown make them of its headings. */
export function listAnchors(document: string): string[] {
  const withoutCode = readFileSync(document, 'utf8').replaceAll(/^```.*?^```$/gms, '')
  return [...withoutCode.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
