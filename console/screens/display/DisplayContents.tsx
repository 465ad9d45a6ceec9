import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import type { ApiDisplayContent } from './kinds.ts'
import { displayTexts } from './texts.ts'

interface Props {
  campaign: string
  contents: readonly ApiDisplayContent[]
  placementName(id: string): string
}

/** Contents of a display campaign, with their targets and placements. */
export function DisplayContents({ campaign, contents, placementName }: Props) {
  const t = useTranslator(displayTexts)
  const format = useLocaleFormat()
  const canWrite = useHasRight('write')
  const buildContentLink = (content: string) => ({
    to: '/display/campaigns/$id/contents/$content' as const,
    params: { id: campaign, content },
  })
  return (
    <PagePanel
      title={t('contents')}
      tools={
        canWrite && (
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link {...buildContentLink('new')} {...props} />}
          >
            {t('newContent')}
          </Button>
        )
      }
    >
      {contents.length === 0 ? (
        <p>{t('noContents')}</p>
      ) : (
        <PlainTable label={t('contents')}>
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('state')}</th>
              <th scope="col">{t('url')}</th>
              <th scope="col">{t('placements')}</th>
            </tr>
          </thead>
          <tbody>
            {contents.map(({ id, name, active, url, placements }) => (
              <tr key={id}>
                <th scope="row">
                  <Link {...buildContentLink(id)}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td>
                  <StateBadge tone={active ? 'busy' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
                </td>
                <td>
                  <bdi>{url}</bdi>
                </td>
                <td>{placements.length === 0 ? t('anyPlacement') : format.list(placements.map(placementName))}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </PagePanel>
  )
}
