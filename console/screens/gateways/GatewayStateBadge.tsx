import { skipToken, useQuery } from '@tanstack/react-query'
import type { ApiAnswer } from '../../api/shapes.ts'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { ApiGateway } from './model.ts'
import { useGatewayLabels } from './words.ts'

/** Key of the last result of a connection test, as long as the console is open. */
export const gatewayTestKey = (id: number) => ['gatewayTest', id] as const

/** State of a gateway: that its last test failed is said before that messages go through it. */
export function GatewayStateBadge({ gateway: { id, carries } }: { gateway: Pick<ApiGateway, 'id' | 'carries'> }) {
  const { t } = useGatewayLabels()
  const { data: lastTest } = useQuery<ApiAnswer<'testGateway'>>({
    queryKey: gatewayTestKey(id ?? -1),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  if (lastTest?.ok === false)
    return (
      <StateBadge tone="bad" hint={lastTest.detail}>
        {t('fails')}
      </StateBadge>
    )
  return (
    <StateBadge tone={carries ? 'good' : 'neutral'} hint={t(carries ? 'carriesWhy' : 'standsWhy')}>
      {t(carries ? 'carries' : 'stands')}
    </StateBadge>
  )
}
