import { Link, useRouterState } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import type { ApiRight } from '../../api/shapes.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import styles from './Bar.module.css'
import { AccountMenu, UserMenu } from './BarMenus.tsx'
import { type NavigationSection, navigationSections } from './navigation.ts'
import { ProductLogo } from './ProductLogo.tsx'

function useIsCurrentPath(): (to: string) => boolean {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (to) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
}

interface SectionLinkProps {
  to: string
  label: string
  right?: ApiRight | undefined
  /** Other paths that belong to it. */
  also?: readonly string[] | undefined
}

function SectionLink({ to, label, right = 'read', also = [] }: SectionLinkProps) {
  const hasRight = useHasRight(right)
  const isCurrentPath = useIsCurrentPath()
  if (!hasRight) return null
  return (
    <li>
      <Link to={to} className={styles['part']} aria-current={[to, ...also].some(isCurrentPath) ? 'page' : undefined}>
        {label}
      </Link>
    </li>
  )
}

function NavigationItem({
  section: { key, to, icon: SectionIcon, parts = [] },
  onGo,
}: {
  section: NavigationSection
  onGo?: () => void
}) {
  const t = useTranslator(layoutTexts)
  const isCurrentPath = useIsCurrentPath()
  const isOpen = isCurrentPath(to) || parts.some((part) => [part.to, ...(part.also ?? [])].some(isCurrentPath))
  return (
    <li onClick={onGo}>
      <Link
        to={to}
        className={styles['section']}
        data-open={isOpen || undefined}
        data-here={(isCurrentPath(to) && !parts.some((part) => isCurrentPath(part.to))) || undefined}
        title={t(key)}
      >
        <SectionIcon size={18} stroke={1.6} aria-hidden />
        <span className={styles['label']}>{t(key)}</span>
      </Link>
      {isOpen && parts.length > 0 && (
        <ul className={styles['parts']}>
          {parts.map((part) => (
            <SectionLink key={part.to} to={part.to} label={t(part.key)} right={part.right} also={part.also} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Content of the sidebar, and of the sheet that replaces it on a phone. */
export function SidebarContent({ onGo }: { onGo?: () => void }) {
  const t = useTranslator(layoutTexts)
  return (
    <div className={styles['content']}>
      <Link to="/" className={styles['brand']} onClick={onGo} aria-label={`Stentor, ${t('home')}`}>
        <ProductLogo size={24} />
        <span className={styles['label']}>Stentor</span>
      </Link>
      <nav aria-label={t('navigation')} className={styles['nav']}>
        <ul>
          {navigationSections.map((section) => (
            <NavigationItem key={section.key} section={section} {...(onGo && { onGo })} />
          ))}
        </ul>
      </nav>
      <div className={styles['foot']}>
        <AccountMenu />
        <UserMenu />
      </div>
    </div>
  )
}
