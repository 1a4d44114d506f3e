import { classNames } from '../ui/class-names.ts';
import logStyles from '../ui/log/log.module.css';
import logBoxStyles from './log-box.module.css';

/** Holds the place of a log until the code that shows it is loaded. */
export const LogPlaceholder = () => <div className={classNames(logBoxStyles.box, logStyles.log)} />;
