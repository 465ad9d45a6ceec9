import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mediaTexts = catalogue(en, () => import('./fr.ts'))
