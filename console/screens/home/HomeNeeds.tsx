import { Button } from '@mantine/core'
import { IconAlertTriangle, IconChecks, IconCircleCheck, IconScale, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useObjectPath } from '../../layout/bar/objects.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { type LocaleFormat, useLocaleFormat } from '../../text/format.ts'
import { nameProvider } from '../deliverability/provider-names.ts'
import type en from './en.ts'
import styles from './HomePage.module.css'
import type { HomeNeed } from './needs.ts'
import { homeTexts } from './texts.ts'

/** Number of cards shown at first. */
const INITIAL_CARDS = 6

interface NeedWords {
  tone: 'bad' | 'warning'
  icon: typeof IconWorld
  title: string
  detail: ReactNode
  /** Button and where it leads; absent where nothing in the console helps. */
  step?: { label: string; to: string } | undefined
}

type ObjectPathFinder = ReturnType<typeof useObjectPath>

/** Texts of a card. */
function describeNeed(
  need: HomeNeed,
  t: Translator<typeof en>,
  format: LocaleFormat,
  findPath: ObjectPathFinder,
): NeedWords {
  switch (need.kind) {
    case 'alarm':
      return {
        tone: 'bad',
        icon: IconAlertTriangle,
        title: t(`alarm_${need.of}`, { destination: nameProvider(need.destination), rate: format.percent(need.rate) }),
        detail: t('alarmWhy', { limit: format.percent(need.limit) }),
        step: { label: t('openDeliverability'), to: '/deliverability' },
      }
    case 'failure': {
      const { type, id, name, date, detail } = need.failure
      const path = findPath(type, id)
      return {
        tone: 'bad',
        icon: IconAlertTriangle,
        title: t('failedTitle', { name: name || String(id) }),
        detail: (
          <>
            {detail} {date && <FormattedTime at={date} />}
          </>
        ),
        step: path === undefined ? undefined : { label: t('open_'), to: path },
      }
    }
    case 'approval': {
      const { id, name, askedBy, date, comment } = need.approval
      return {
        tone: 'warning',
        icon: IconChecks,
        title: t('approvalTitle', { person: askedBy ?? '', name: name ?? '' }),
        detail: (
          <>
            {comment && <q>{comment}</q>} <FormattedTime at={date} />
          </>
        ),
        step: { label: t('review'), to: `/approvals/${id}` },
      }
    }
    case 'decision': {
      const { campaign, waiting } = need
      const path = findPath(campaign.type, campaign.id)
      return {
        tone: 'warning',
        icon: IconScale,
        title: t('decisionTitle', { name: campaign.name ?? String(campaign.id) }),
        detail: t('decisionWhy', { count: waiting }),
        step: path === undefined ? undefined : { label: t('chooseVersion'), to: `${path}/report` },
      }
    }
    case 'domain':
      return {
        tone: 'warning',
        icon: IconWorld,
        title: t('domainTitle', { name: need.name }),
        detail: t('domainWhy'),
        step: { label: t('verifyDomain'), to: `/deliverability/domains/${need.name}` },
      }
    case 'task': {
      const { task, subject, failures, since, error } = need.task
      return {
        tone: 'bad',
        icon: IconAlertTriangle,
        title: t('taskTitle', { task: subject === '' ? task : `${task} · ${subject}` }),
        detail: (
          <>
            {t('taskFailures', { failures })} <FormattedTime at={since} />
            <br />
            {error}
          </>
        ),
      }
    }
  }
}

function NeedCard({ need }: { need: HomeNeed }) {
  const t = useTranslator(homeTexts)
  const { tone, icon: NeedIcon, title, detail, step } = describeNeed(need, t, useLocaleFormat(), useObjectPath())
  return (
    <li className={styles['need']} data-tone={tone}>
      <NeedIcon size={18} stroke={1.7} aria-hidden />
      <div>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <p>{detail}</p>
      </div>
      {step && (
        <Button size="compact-sm" variant="default" component={Link} to={step.to}>
          {step.label}
        </Button>
      )}
    </li>
  )
}

/** A card for each thing that waits for a person; one quiet line when nothing does. */
export function HomeNeeds({ needs }: { needs: readonly HomeNeed[] }) {
  const t = useTranslator(homeTexts)
  const [isOpen, setOpen] = useState(false)
  const hiddenCount = isOpen ? 0 : Math.max(needs.length - INITIAL_CARDS, 0)
  if (needs.length === 0)
    return (
      <p className={styles['calm']}>
        <IconCircleCheck size={18} stroke={1.7} aria-hidden /> {t('needsNone')}
      </p>
    )
  return (
    <PagePanel title={t('needs')}>
      <ul className={styles['needs']}>
        {needs.slice(0, needs.length - hiddenCount).map((need) => (
          <NeedCard key={JSON.stringify(need)} need={need} />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
            {t('needsMore', { count: hiddenCount })}
          </Button>
        </div>
      )}
    </PagePanel>
  )
}
