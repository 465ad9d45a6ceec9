import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const displayTexts = catalogue(en, () => import('./fr.ts'))
