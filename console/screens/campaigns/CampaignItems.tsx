import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CampaignsPage.module.css'
import { type ApiCampaignItemResult, CampaignItemState } from './item-state.tsx'
import { campaignTexts } from './texts.ts'

/** A number, with its share of what was sent. */
function ShareCell({ value, of }: { value: number | undefined; of: number }) {
  if (value === undefined) return null
  return (
    <>
      <FormattedNumber value={value} />
      {of > 0 && (
        <small>
          <FormattedNumber value={value / of} percent />
        </small>
      )}
    </>
  )
}

function ItemLine({ item, remove }: { item: ApiCampaignItemResult; remove: (() => void) | undefined }) {
  const t = useTranslator(campaignTexts)
  const { type, kind, id, name, startDate, report, display } = item
  const sentBase = report?.sent ?? display?.impressions.human ?? 0
  const objectType = kind ?? (type === 'display' ? 'displayCampaign' : type)
  return (
    <tr>
      <th scope="row">
        <ObjectLink type={objectType} id={id} name={name} />
        <small>
          {t(type)}
          {startDate && (
            <>
              {' · '}
              <FormattedTime at={startDate} as="moment" />
            </>
          )}
        </small>
      </th>
      <td>
        <CampaignItemState item={item} />
      </td>
      <td data-number>
        <FormattedNumber value={sentBase} />
        {display && <small>{t('impressionsShort')}</small>}
      </td>
      <td data-number>
        <ShareCell value={report?.opens.human} of={sentBase} />
      </td>
      <td data-number>
        <ShareCell value={(report ?? display)?.clicks.human} of={sentBase} />
      </td>
      <td data-number>
        <ShareCell value={report?.unsubscribes} of={sentBase} />
      </td>
      <td data-number>
        <ShareCell value={report?.bounces} of={sentBase} />
      </td>
      {remove && (
        <td className={styles['act']}>
          <ActionIcon aria-label={t('removeItem', { name })} title={t('removeItem', { name })} onClick={remove}>
            <IconX size={15} />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}

/** Items of a campaign, each with its state and results. */
export function CampaignItems({
  items,
  remove,
}: {
  items: readonly ApiCampaignItemResult[]
  remove: ((item: ApiCampaignItemResult) => void) | undefined
}) {
  const t = useTranslator(campaignTexts)
  const itemFigures = [
    [t('sent'), t('sentItemWhy')],
    [t('opens'), t('opensWhy')],
    [t('clicks'), t('clicksWhy')],
    [t('unsubscribes'), t('unsubscribesWhy')],
    [t('bounces'), t('bouncesWhy')],
  ] as const
  return (
    <PlainTable label={t('items')}>
      <thead>
        <tr>
          <th scope="col">{t('item')}</th>
          <th scope="col">{t('state')}</th>
          {itemFigures.map(([label, definition]) => (
            <th key={label} scope="col" data-number>
              <DefinedTerm definition={definition}>{label}</DefinedTerm>
            </th>
          ))}
          {remove && <td className={styles['corner']} />}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <ItemLine key={`${item.type} ${item.id}`} item={item} remove={remove && (() => remove(item))} />
        ))}
      </tbody>
    </PlainTable>
  )
}
