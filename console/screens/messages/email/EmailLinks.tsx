import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { parseMailHtml } from '../../../components/mail/parsed.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { emailTexts } from './texts.ts'

const UPDATE_DELAY_MS = 400

interface EmailLink {
  href: string
  words: string
  isTracked: boolean
}

/** The links of a message in their order. */
function listLinks(html: string): EmailLink[] {
  const { page, read: readAddress } = parseMailHtml(html)
  return Array.from(page.querySelectorAll('a[href], area[href]'), (link) => ({
    href: readAddress(link.getAttribute('href')),
    words: readAddress(link.textContent).trim() || readAddress(link.querySelector('img')?.getAttribute('alt')),
    isTracked: link.getAttribute('tracking')?.toLowerCase() !== 'disabled',
  }))
}

/** Targets of the links in the HTML, as written. */
export function EmailLinks({ html }: { html: string }) {
  const t = useTranslator(emailTexts)
  const [debouncedHtml] = useDebouncedValue(html, UPDATE_DELAY_MS)
  const links = useMemo(() => listLinks(debouncedHtml), [debouncedHtml])
  return (
    <PagePanel title={t('links')}>
      {links.length === 0 ? (
        <p>{t('linksNone')}</p>
      ) : (
        <PlainTable label={t('links')}>
          <thead>
            <tr>
              <th scope="col">{t('linkWords')}</th>
              <th scope="col">{t('link')}</th>
            </tr>
          </thead>
          <tbody>
            {links.map(({ href, words, isTracked }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a link is its place in the message: two may be the same.
              <tr key={index}>
                <th scope="row">
                  <bdi>{words}</bdi>
                  {!isTracked && <small>{t('noTracking')}</small>}
                </th>
                <td>
                  <code>{href}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </PagePanel>
  )
}
