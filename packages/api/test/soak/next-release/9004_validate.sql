alter table risks validate constraint risks_confidence_when_live;
