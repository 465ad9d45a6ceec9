import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import type { Content } from './kinds.ts'
import { displayTexts } from './texts.ts'

interface Props {
  campaign: string
  contents: readonly Content[]
  placementName(id: string): string
}

/** What a display campaign shows: where each leads, and where it may be shown. */
export function Contents({ campaign, contents, placementName }: Props) {
  const t = useText(displayTexts)
  const format = useFormat()
  const mayWrite = useMay('write')
  const link = (content: string) => ({
    to: '/display/campaigns/$id/contents/$content' as const,
    params: { id: campaign, content },
  })
  return (
    <Panel
      title={t('contents')}
      tools={
        mayWrite && (
          <Button size="compact-sm" variant="default" renderRoot={(props) => <Link {...link('new')} {...props} />}>
            {t('newContent')}
          </Button>
        )
      }
    >
      {contents.length === 0 ? (
        <p>{t('noContents')}</p>
      ) : (
        <Sheet label={t('contents')}>
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
                  <Link {...link(id)}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td>
                  <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>
                </td>
                <td>
                  <bdi>{url}</bdi>
                </td>
                <td>{placements.length === 0 ? t('anyPlacement') : format.list(placements.map(placementName))}</td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </Panel>
  )
}
