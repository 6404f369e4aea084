-- A rule for what is written from now on; what is there is looked at later, without a lock.
alter table risks add constraint risks_confidence_when_live
  check (confidence is null or likelihood is not null) not valid;
