import logoStyles from './logo.module.css';
/** The logo's mark: two quay walls, the water between them and the lamp above. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className={logoStyles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path className={logoStyles.walls} d="M6 5.5h5.25v21H6ZM20.75 5.5H26v21h-5.25Z" />
      <path
        className={logoStyles.water}
        d="M11.25 17.4c1.7-1.1 3.2-1.1 4.75.3s3.1 1.4 4.75.3v3.7c-1.7 1.1-3.2 1.1-4.75-.3s-3.1-1.4-4.75-.3Z"
      />
      <circle className={logoStyles.lamp} cx="16" cy="10.2" r="3" />
    </svg>
  );
}

const letters =
  'M1.35 6.6V22M10.75 6.6V22M1.35 14.1h9.4M19.9 12.75C22.51 12.75 23.85 14.09 23.85 16.7S22.51 20.65 19.9 20.65 15.95 19.31 15.95 16.7 17.29 12.75 19.9 12.75ZM29.15 11.4V22M29.15 17.05C29.15 14.21 30.19 12.75 32.2 12.75S35.25 14.21 35.25 17.05V22M35.25 17.05C35.25 14.21 36.29 12.75 38.3 12.75S41.35 14.21 41.35 17.05V22M46.55 17H54.45C54.45 14.09 53.11 12.75 50.5 12.75S46.55 14.09 46.55 16.7 47.89 20.65 50.7 20.65C52.48 20.65 52.85 20.4 53.75 19.6M59.65 11.4V26.2M63.6 12.75C66.21 12.75 67.55 14.09 67.55 16.7S66.21 20.65 63.6 20.65 59.65 19.31 59.65 16.7 60.99 12.75 63.6 12.75ZM76.4 12.75C79.01 12.75 80.35 14.09 80.35 16.7S79.01 20.65 76.4 20.65 72.45 19.31 72.45 16.7 73.79 12.75 76.4 12.75ZM85.65 11.4V22M85.65 17.05C85.65 14.15 87.35 12.7 90.35 12.75M94.55 8V17.65C94.55 19.95 95.65 20.65 98.55 20.65M91.65 12.75h6.9';

export function Wordmark({ height = 19, className }: { height?: number; className?: string | undefined }) {
  return (
    <svg className={className} height={height} viewBox="0 4 99 24" aria-hidden="true">
      <path d={letters} fill="none" stroke="currentColor" strokeWidth="2.7" strokeLinejoin="round" />
    </svg>
  );
}
